from typing import final

@final
class Graph:
    highest_first: bool
    size: int
