// @langchain/langgraph-sdk 2.0.0: node run.mjs --url URL [--only NAME] [--reference] [--verbose]
import { JSDOM } from "jsdom";
import { main, mounter, page } from "../harness.mjs";
import { checks as sdkChecks } from "../sdk-checks.mjs";
import { checks as hookChecks } from "../legacy-use-stream.mjs";

await page(JSDOM);
const React = await import("react");
const { createRoot } = await import("react-dom/client");
const sdk = await import("@langchain/langgraph-sdk");
const { useStream } = await import("@langchain/langgraph-sdk/react");

await main({ ...sdkChecks, ...hookChecks }, ({ url, reference }) => ({
  url,
  reference,
  sdk,
  useStream,
  reconnects: true,
  client: new sdk.Client({ apiUrl: url, apiKey: null }),
  mount: mounter(React, createRoot),
}));
