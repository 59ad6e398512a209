"""Every screen in every state and language, reached as people reach it: by pressing, touching, holding and waiting."""
