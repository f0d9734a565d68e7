# Public names of `echelon.client`: made by docs/generator from the table in its __init__.py.

from echelon.client.address import Address as Address
from echelon.client.address import address_of as address_of
from echelon.client.answers import FINAL as FINAL
from echelon.client.answers import ClusterAnswer as ClusterAnswer
from echelon.client.answers import DecisionAnswer as DecisionAnswer
from echelon.client.answers import EventAnswer as EventAnswer
from echelon.client.answers import ForecastAnswer as ForecastAnswer
from echelon.client.answers import JobAnswer as JobAnswer
from echelon.client.answers import JobFields as JobFields
from echelon.client.answers import TokenAnswer as TokenAnswer
from echelon.client.client import Client as Client
from echelon.client.places import default_socket as default_socket
from echelon.client.places import default_token_file as default_token_file
from echelon.client.places import state_folder as state_folder
from echelon.client.plain_text import escape as escape
