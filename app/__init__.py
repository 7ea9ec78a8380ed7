"""The web app: joins the model (l2a) to the pages. Importing it reads no settings and loads no model."""
