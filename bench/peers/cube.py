"""How long a cube decision takes, money, over the same positions; CPU time, one core."""

import time

import _gnubg
import decisions
from bgsage import BgBotAnalyzer

import bgcore


def inside_gnubg(positions, plies):
    """CPU seconds of gnubg's cubeful evaluation, timed inside it."""
    asked = [position.position_id for position in positions]
    return _gnubg.run_script(f"""
context = gnubg.evalcontext(1, {plies}, 1, 1, 0.0)
cube = gnubg.cubeinfo()
boards = [gnubg.positionfromid(name) for name in {asked!r}]
start = time.process_time()
for board in boards:
    gnubg.cfevaluate(board, cube, context)
answer = (time.process_time() - start) / len(boards)
""")


def main():
    """Print the table."""
    positions = [position for position, _ in decisions.situations(200)]
    rules = bgcore.Rules(jacoby=True, beavers=True, cube_limit=None)
    rows = []
    for plies, number in ((0, 200), (1, 30)):
        cases = [(position, None, rules) for position in positions[:number]]

        def run(position, cube, rules, plies=plies):
            return bgcore.cube_action(position, cube, rules, plies=plies)

        run(*cases[0])
        rows.append(("bgcore, `cube_action`", plies, decisions.seconds(run, cases)))
    if _gnubg.PROGRAM:
        rows += [
            ("gnubg, `cfevaluate`", plies, inside_gnubg(positions[:number], plies))
            for plies, number in ((0, 200), (1, 40), (2, 10))
        ]
    engine = BgBotAnalyzer(eval_level="1ply", parallel_threads=1)
    boards = [decisions.sage_board(position) for position in positions[:10]]
    start = time.process_time()
    for board in boards:
        engine.cube_action(board)
    rows.append(("bgsage, `cube_action` 1ply", 0, (time.process_time() - start) / len(boards)))
    print("| one cube decision | plies (gnubg's counting) | milliseconds |\n|---|---:|---:|")
    for name, plies, each in sorted(rows, key=lambda row: (row[1], row[2])):
        print(f"| {name} | {plies} | {each * 1e3:.3f} |")
    print("\ngnubg-nn has no cube decision for money.")


if __name__ == "__main__":
    main()
