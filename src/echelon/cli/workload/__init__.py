"""Commands on workloads themselves: what is in one, and how one is drawn, merged and converted."""
