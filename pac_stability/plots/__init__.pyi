from pac_stability.plots.drawing import (
    crossings as crossings,
    mistake_tree as mistake_tree,
    needed_sizes as needed_sizes,
    sample_sizes as sample_sizes,
    save_picture as save_picture,
    save_svg as save_svg,
)
