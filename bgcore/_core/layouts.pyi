from typing import final

@final
class Graph:
    highest_first: bool
    size: int
    def __init__(self, points: int, checkers: int, highest_first: bool = False) -> None: ...
