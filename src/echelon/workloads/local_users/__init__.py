"""Local load of the nodes of a multicluster, drawn from profiles of their owners or recorded."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "user_model": "OwnUsers",
        "owners": "Owners",
        "profile": "PROFILES Profile",
        "registry": "LOCAL_TRACES LOCAL_USER LOCAL_USERS local_users local_users_named names_local_users",
        "trace": "LocalTrace read_local_trace",
    },
)
