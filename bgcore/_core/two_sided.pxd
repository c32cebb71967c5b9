"""The order in which tables of two sides are filled; see the module."""

from libc.stdint cimport int64_t

cdef enum:
    BAND = 24    # layouts a band; their rows and one of another side's fit the second cache level

ctypedef void (*FillEntry)(const void* table, int64_t mine, int64_t theirs) noexcept nogil

cdef void fill_band(FillEntry fill, const void* table, int64_t first, int64_t last) noexcept nogil
