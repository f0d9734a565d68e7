# Public names of `echelon.platforms`: made by docs/generator from the table in its __init__.py.

from echelon.platforms.irmasim_file import read_irmasim_platform as read_irmasim_platform
from echelon.platforms.platform_file import read_platform_file as read_platform_file
from echelon.platforms.platform_writer import write_platform as write_platform
from echelon.platforms.presets import PRESETS as PRESETS
from echelon.platforms.presets import platform as platform
from echelon.platforms.presets import platform_named as platform_named
from echelon.platforms.presets import read_platform as read_platform
from echelon.platforms.serialization import machine_from_dict as machine_from_dict
from echelon.platforms.serialization import platform_from_dict as platform_from_dict
