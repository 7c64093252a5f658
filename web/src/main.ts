/** Begins the page. */

import { mount } from "svelte";
import "../../conformance/antiphon_conformance/reports/html/base.css";
import "./app.css";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app")! });
