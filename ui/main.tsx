import { startLanguage } from "./words/words.ts";
import "./api/arrival.ts";
import "@mantine/core/styles.css";
import "./app/global.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Application } from "./app/application.tsx";

await startLanguage();

const root = document.getElementById("app");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Application />
    </StrictMode>,
  );
}
