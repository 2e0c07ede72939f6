"""The one reader of people's tables: from files and data frames to classes and points."""

from __future__ import annotations

from pac_stability.classes.tables.formats import SHIPPED as SHIPPED, is_frame as is_frame
from pac_stability.classes.tables.points import points_of as points_of, read_points as read_points
from pac_stability.classes.tables.sheets import (
    MAX_BYTES as MAX_BYTES,
    TABLE_FORMATS as TABLE_FORMATS,
    TableOptions as TableOptions,
)
from pac_stability.classes.tables.values import (
    NamedTable as NamedTable,
    TableReading as TableReading,
)
from pac_stability.classes.tables.whole import (
    read_table as read_table,
    table_of_frame as table_of_frame,
)
from pac_stability.classes.tables.writing import text_of_table as text_of_table
