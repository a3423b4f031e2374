import { marked, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { CodeBlock } from "@/components/docs/code-block";
import { DOCUMENTS } from "@/components/docs/guides";
import { Table, Td, Th } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";

/** A document's text as elements of ours: of Markdown what docs/ uses, and of HTML only anchors. `path` is below docs/. */
export function Markdown({ text, path }: { text: string; path: string }) {
  const tokens = marked.lexer(text);
  marked.walkTokens(tokens, (token) => {
    // A link without an address is shown as its text.
    if (token.type === "link") (token as Tokens.Link).href = addressOf((token as Tokens.Link).href, path) ?? "";
  });
  const examples = codesIn(tokens);
  const chapters = tokens.filter((token): token is Tokens.Heading => token.type === "heading" && token.depth === 2);
  const title = tokens.findIndex((token) => token.type === "heading") + 1;
  return (
    <>
      <Blocks tokens={tokens.slice(0, title)} examples={examples} />
      {chapters.length >= MIN_CHAPTERS && <Contents chapters={chapters} />}
      <Blocks tokens={tokens.slice(title)} examples={examples} />
    </>
  );
}

/** A document with fewer chapters needs no list of them. */
const MIN_CHAPTERS = 4;

function Contents({ chapters }: { chapters: readonly Tokens.Heading[] }) {
  return (
    <nav aria-label="On this page" className="mt-3">
      <ul className="flex max-w-prose flex-wrap gap-x-4 gap-y-1 text-sm">
        {chapters.map(({ text, tokens }) => (
          <li key={text}>
            <TextLink href={`#${anchorOf(text)}`}>
              <Inline tokens={tokens} />
            </TextLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The blocks of code, also those in lists. */
function codesIn(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token) => {
    if (token.type === "list") return (token as Tokens.List).items.flatMap((item) => codesIn(item.tokens));
    return token.type === "code" ? token : [];
  });
}

/** The anchor of a heading: `State machines` is at `#state-machines`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}

/**
 * The address of a link in the app. `path` is the file of the text below docs/. `null`: the app does not serve the
 * document.
 */
export function addressOf(href: string, path: string): string | null {
  if (/^(\/|#|https?:)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${path}`);
  const found = DOCUMENTS.find((document) => pathname === `/${document.path}`);
  return found === undefined ? null : `/docs/guide/${found.name}${hash}`;
}

interface BlocksProps {
  tokens: readonly Token[];
  /** All blocks of code of the text: as regions they need distinct names. */
  examples: readonly Token[];
}

function Blocks({ tokens, examples }: BlocksProps) {
  return tokens.map((token, index) => <Fragment key={index}>{block(token as Block, examples)}</Fragment>);
}

type Block = Tokens.Heading | Tokens.Paragraph | Tokens.List | Tokens.Code | Tokens.Table | Tokens.Text | Tokens.Space;

function block(token: Block, examples: readonly Token[]): ReactNode {
  switch (token.type) {
    case "heading":
      return <Heading token={token as Tokens.Heading} />;
    case "paragraph":
      return (
        <p className="mt-2 max-w-prose text-muted">
          <Inline tokens={token.tokens} />
        </p>
      );
    case "list":
      return <List token={token as Tokens.List} examples={examples} />;
    case "code":
      return (
        <div className="mt-2">
          <CodeBlock code={token.text} label={`Example ${examples.indexOf(token) + 1}`} />
        </div>
      );
    case "table":
      return <Rows token={token as Tokens.Table} />;
    case "text":
      return (
        <div className="max-w-prose">
          <Inline tokens={token.tokens ?? [token]} />
        </div>
      );
    default:
      return null;
  }
}

function Heading({ token: { depth, text, tokens } }: { token: Tokens.Heading }) {
  if (depth === 1) return <h1 className="text-xl font-semibold">{<Inline tokens={tokens} />}</h1>;
  const id = anchorOf(text);
  return depth === 2 ? (
    <h2 id={id} className="mt-8 scroll-mt-4 text-lg font-semibold">
      <Inline tokens={tokens} />
    </h2>
  ) : (
    <h3 id={id} className="mt-5 scroll-mt-4 font-semibold">
      <Inline tokens={tokens} />
    </h3>
  );
}

function List({ token: { ordered, items }, examples }: { token: Tokens.List; examples: readonly Token[] }) {
  const Ordered = ordered ? "ol" : "ul";
  return (
    <Ordered className={`mt-2 flex flex-col gap-1.5 pl-5 text-muted ${ordered ? "list-decimal" : "list-disc"}`}>
      {items.map((item, index) => (
        <li key={index} className="[&>p:first-child]:mt-0">
          <Blocks tokens={item.tokens} examples={examples} />
        </li>
      ))}
    </Ordered>
  );
}

function Rows({ token: { header, rows } }: { token: Tokens.Table }) {
  return (
    <div className="mt-3">
      <Table label={header.map(({ text }) => text).join(", ")} compact>
        <thead>
          <tr>
            {header.map(({ tokens }, index) => (
              <Th key={index}>
                <Inline tokens={tokens} />
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map(({ tokens }, column) => (
                <Td key={column} className="align-top">
                  <Inline tokens={tokens} />
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function Inline({ tokens = [] }: { tokens?: readonly Token[] | undefined }) {
  return tokens.map((token, index) => <Fragment key={index}>{inline(token)}</Fragment>);
}

function inline(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return (
        <strong className="font-medium text-ink">
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "codespan":
      return (
        <code className="rounded bg-hover px-1 py-px font-mono text-[max(0.92em,0.75rem)] text-ink">
          {String(token["text"])}
        </code>
      );
    case "link": {
      const { href, tokens } = token as Tokens.Link;
      const text = <Inline tokens={tokens} />;
      return href === "" ? text : <TextLink href={href}>{text}</TextLink>;
    }
    case "html":
      return <span id={/ id="([^"]+)"/.exec(token.raw)?.[1]} />;
    default:
      return "text" in token ? String(token.text) : null;
  }
}
