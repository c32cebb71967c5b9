"""The engines behind one interface: equities of positions and choice of a play, without look-ahead unless told."""

import bgbot_cpp
import gnubg_nn
import numpy as np
from bgsage import BgBotAnalyzer

import bgcore
from bgcore._core import Network, chosen_play

MONEY = (1, 2, 3, -1, -2, -3)
WIN = np.array([2, 1, 1, -1, -1])


def equity(chances):
    """Cubeless equity of cumulative chances (win, gammon, backgammon, lose gammon, backgammon)."""
    return np.asarray(chances) @ WIN - 1


def gnubg_board(board):
    """Two lists of 25 counts, the opponent's first, each from its own ace point to the bar."""
    mine = [max(board[slot], 0) for slot in range(1, 26)]
    theirs = [max(-board[slot], 0) for slot in range(24, -1, -1)]
    return [theirs, mine]


class Bgcore:
    """bgcore at 0 plies."""

    name = "bgcore"

    def __init__(self):
        self.network = Network.default()

    def equities(self, boards, plies=0):
        if not plies:
            return equity(bgcore.evaluate_batch(boards))
        positions = map(bgcore.Position.from_board, boards)
        return np.array([bgcore.evaluate(position, plies=plies).equity for position in positions])

    def play(self, board, dice):
        return chosen_play(self.network, bgcore.Position.from_board(board), *dice, MONEY)[0].board.tolist()


class GnubgNn:
    """gnubg-nn at 0 plies, by its own choice of plays."""

    name = "gnubg-nn"

    def equities(self, boards, plies=0):
        return equity([gnubg_nn.probabilities(gnubg_board(board), plies) for board in boards.tolist()])

    def play(self, board, dice):
        steps = gnubg_nn.best_move(gnubg_board(board), *dice, 0)
        after = list(board)
        for start, end in steps:
            after[start] -= 1
            if end:
                if after[end] == -1:
                    after[end] = 0
                    after[0] -= 1
                after[end] += 1
        return after


class Bgsage:
    """bgsage at its 1-ply, which looks ahead no more than the others' 0."""

    name = "bgsage"

    def __init__(self):
        self.strategy = BgBotAnalyzer(eval_level="1ply", cubeful=False)._analyzer._strategy_1ply

    def after_moves(self, boards):
        """Equities of boards seen by the side that has just moved; bgsage counts the opponent's bar upwards."""
        asked = [([-board[0], *board[1:]], bgbot_cpp.CubeOwner.CENTERED) for board in boards.tolist()]
        answers = bgbot_cpp.batch_evaluate_post_move(asked, self.strategy, 1, False)
        return np.array([answer["cubeless_equity"] for answer in answers])

    def equities(self, boards):
        return -self.after_moves(-boards[:, ::-1])

    def play(self, board, dice):
        results = bgcore.legal_plays_batch([board], [dice]).results
        if not len(results):
            return board
        return results[int(np.argmax(self.after_moves(results)))].tolist()
