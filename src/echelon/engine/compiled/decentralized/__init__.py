"""Sites without a broker in kernels: exchange, common pool and stealing."""
