import type { CDPSession, Locator, Page } from "@playwright/test";
import sharp from "sharp";

/** The parts of the story, as the title bar of the film names them. */
const PARTS = ["Import", "Policy", "Preview", "Call", "Log"] as const;
/** One part of the story. */
type Part = (typeof PARTS)[number];

/** Milliseconds that a frame of a movement is shown. */
const STEP_MS = 110;
const COLOURS = 96;

interface Frame {
  readonly png: Buffer;
  ms: number;
}

/**
 * A film of a page. Each frame is a screenshot with a duration that the story states, so a slow machine makes no jerky
 * film: time that the page needs is not in it.
 */
export class Film {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #frames: Frame[] = [];
  #cursor = { x: 720, y: 420 };
  #title: { part: Part; text: string } = { part: "Import", text: "" };

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  static async of(page: Page): Promise<Film> {
    // esbuild names functions by a helper that the page does not have.
    await page.addInitScript("globalThis.__name = (named) => named;");
    return new Film(page, await page.context().newCDPSession(page));
  }

  /** Milliseconds that the film lasts so far. */
  get ms(): number {
    return this.#frames.reduce((sum, { ms }) => sum + ms, 0);
  }

  async open(path: string): Promise<void> {
    await this.#page.goto(path);
    await this.#page.locator("html[data-hydrated]").waitFor({ state: "attached" });
  }

  /** Writes a sentence into the title bar, and shows it. */
  async say(part: Part, text: string, ms = 1600): Promise<void> {
    this.#title = { part, text };
    await this.hold(ms);
  }

  /** Shows the page as it is. */
  async hold(ms: number): Promise<void> {
    await this.#dress();
    const { data } = await this.#session.send("Page.captureScreenshot", { format: "png" });
    const png = Buffer.from(data, "base64");
    const last = this.#frames.at(-1);
    if (last?.png.equals(png) === true) last.ms += ms;
    else this.#frames.push({ png, ms });
  }

  /** Moves the pointer to the middle of an element. */
  async point(at: Locator): Promise<void> {
    await at.scrollIntoViewIfNeeded();
    const box = await at.boundingBox();
    if (box === null) throw new Error(`Nothing to point at: ${at.toString()}`);
    const from = this.#cursor;
    const to = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
    const steps = 5;
    for (let step = 1; step <= steps; step += 1) {
      const way = 1 - (1 - step / steps) ** 2;
      this.#cursor = { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way };
      await this.#page.mouse.move(this.#cursor.x, this.#cursor.y);
      await this.hold(STEP_MS);
    }
  }

  /** Clicks an element, visibly. */
  async click(at: Locator): Promise<void> {
    await this.point(at);
    await this.#press(true);
    await at.click();
    await this.#press(false);
    await this.hold(350);
  }

  /** Types into a field, a few characters per frame. */
  async type(into: Locator, text: string): Promise<void> {
    await this.click(into);
    for (const part of text.match(/.{1,3}/gs) ?? []) {
      await this.#page.keyboard.type(part);
      await this.hold(STEP_MS);
    }
  }

  /** Shows a terminal with these lines over the page; `null` removes it. */
  async terminal(lines: readonly string[] | null): Promise<void> {
    await this.#page.evaluate((shown) => {
      document.getElementById("film-terminal")?.remove();
      if (shown === null) return;
      const element = document.createElement("pre");
      element.id = "film-terminal";
      element.textContent = shown.join("\n");
      element.style.cssText =
        "position:fixed;z-index:2147483646;inset:110px 60px auto;min-height:260px;margin:0;padding:22px 26px;border-radius:10px;background:#111827;color:#e5e7eb;font:15px/1.65 'Geist Mono',monospace;white-space:pre-wrap;overflow-wrap:anywhere;box-shadow:0 0 0 100vmax rgb(17 24 39 / 0.35)";
      document.documentElement.append(element);
    }, lines);
  }

  /** The film as an animated GIF. */
  async toGif(): Promise<Buffer> {
    const joined = sharp(
      this.#frames.map(({ png }) => png),
      { join: { animated: true }, limitInputPixels: false },
    );
    return joined
      .gif({
        delay: this.#frames.map(({ ms }) => ms),
        loop: 0,
        colours: COLOURS,
        dither: 0,
        interFrameMaxError: 2,
        effort: 8,
      })
      .toBuffer();
  }

  async #press(down: boolean): Promise<void> {
    await this.#page.evaluate((pressed) => {
      const cursor = document.getElementById("film-cursor");
      if (cursor !== null) cursor.style.boxShadow = pressed ? "0 0 0 14px rgb(37 99 235 / 0.35)" : "none";
    }, down);
    if (down) await this.hold(160);
  }

  /** Draws the title bar and the pointer, which a screenshot does not contain. */
  async #dress(): Promise<void> {
    const drawn = { parts: PARTS, ...this.#title, ...this.#cursor };
    await this.#page.evaluate(({ parts, part, text, x, y }) => {
      const made = (id: string, css: string) => {
        const known = document.getElementById(id);
        if (known !== null) return known;
        const element = document.createElement("div");
        element.id = id;
        element.style.cssText = `position:fixed;z-index:2147483647;pointer-events:none;${css}`;
        document.documentElement.append(element);
        return element;
      };
      const bar = made(
        "film-title",
        "inset:0 0 auto 0;height:48px;display:flex;align-items:center;gap:14px;padding:0 20px;background:#111827;color:#fff;font:500 17px/1 'Geist',sans-serif",
      );
      const span = (content: string, css: string) => {
        const element = document.createElement("span");
        element.textContent = content;
        element.style.cssText = css;
        return element;
      };
      bar.replaceChildren(
        ...parts.map((name, index) =>
          span(
            `${index + 1} ${name}`,
            name === part ? "color:#fff;background:#2563eb;border-radius:6px;padding:7px 10px" : "color:#9ca3af",
          ),
        ),
        span(text, "margin-left:auto;font-weight:400"),
      );
      const cursor = made("film-cursor", "width:0;height:0;border-radius:50%");
      cursor.style.left = `${x}px`;
      cursor.style.top = `${y}px`;
      if (cursor.childElementCount === 0) {
        const arrow = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        arrow.setAttribute("viewBox", "0 0 24 24");
        arrow.style.cssText = "position:absolute;width:26px;height:26px;left:-3px;top:-2px";
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        path.setAttribute("d", "M3 2l7 19 2.6-7.6L20 11z");
        path.setAttribute("fill", "#111827");
        path.setAttribute("stroke", "#fff");
        path.setAttribute("stroke-width", "1.6");
        arrow.append(path);
        cursor.append(arrow);
      }
    }, drawn);
  }
}
