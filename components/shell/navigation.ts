import {
  AppWindow,
  Bot,
  BookCheck,
  Boxes,
  Cable,
  ChartColumn,
  Eye,
  FileCog,
  FileDiff,
  FileKey2,
  Fingerprint,
  Hand,
  History,
  KeyRound,
  Layers,
  Lightbulb,
  Link2,
  LockKeyhole,
  MessagesSquare,
  Plug,
  Route,
  Scissors,
  ScrollText,
  Settings2,
  ShieldCheck,
  ShieldX,
  Tag,
  Triangle,
  TriangleAlert,
  UserRound,
  Users,
  Waves,
  Webhook,
  Workflow,
  Wrench,
  type LucideIcon,
} from "lucide-react";
import type { DescribedPage } from "@/components/shell/purposes";
import { decodePercent } from "@/lib/resources/parts/decode-percent";
import type { Permission } from "@/lib/resources/permissions";

interface Entry {
  readonly label: string;
  readonly href: DescribedPage;
  readonly icon: LucideIcon;
  readonly permission: Permission;
  /** Further addresses that belong to this entry. */
  readonly also?: readonly string[];
  /** Keys that lead here, after `g`. */
  readonly key?: string;
  /** The list whose waiting rows are counted next to the label. */
  readonly counts?: "approvals" | "denials" | "drift";
}

interface Section {
  readonly label: string;
  readonly entries: readonly Entry[];
  /** Shows only its heading until a person opens it, or is on one of its pages. */
  readonly startsClosed?: boolean;
}

/**
 * The sidebar. Entries that a role may not read are hidden. The open sections have at most 16 entries, so that they fit
 * a window of 900 pixels without scrolling.
 */
export const NAVIGATION: readonly Section[] = [
  {
    label: "Observe",
    entries: [
      { label: "Overview", href: "/admin/overview", icon: ChartColumn, permission: "executions:read", key: "y" },
      { label: "Preview as agent", href: "/admin/preview", icon: Eye, permission: "configuration:read", key: "v" },
      { label: "Executions", href: "/admin/executions", icon: ScrollText, permission: "executions:read", key: "e" },
      {
        label: "Approvals",
        href: "/admin/approvals",
        icon: Hand,
        permission: "executions:read",
        key: "w",
        counts: "approvals",
        also: ["/admin/requests"],
      },
      {
        label: "Refusals",
        href: "/admin/denials",
        icon: ShieldX,
        permission: "executions:read",
        key: "q",
        counts: "denials",
      },
      { label: "Sessions", href: "/admin/sessions", icon: MessagesSquare, permission: "executions:read", key: "n" },
      { label: "Changes", href: "/admin/changes", icon: History, permission: "configuration:read", key: "h" },
      { label: "Audit trail", href: "/admin/audit", icon: Fingerprint, permission: "audit:read", key: "b" },
      { label: "Findings", href: "/admin/findings", icon: TriangleAlert, permission: "configuration:read", key: "f" },
    ],
  },
  {
    label: "Govern",
    entries: [
      {
        label: "Agents & keys",
        href: "/admin/agents",
        icon: Bot,
        permission: "configuration:read",
        also: ["/admin/api-keys"],
        key: "a",
      },
      {
        label: "Access policies",
        href: "/admin/policies",
        icon: ShieldCheck,
        permission: "configuration:read",
        key: "p",
      },
      { label: "Tool groups", href: "/admin/groups", icon: Boxes, permission: "configuration:read", key: "r" },
      { label: "State machines", href: "/admin/machines", icon: Workflow, permission: "configuration:read", key: "m" },
    ],
  },
  {
    label: "Advanced",
    startsClosed: true,
    entries: [
      { label: "Rightsizing", href: "/admin/rightsizing", icon: Scissors, permission: "executions:read" },
      { label: "Personas", href: "/admin/personas", icon: UserRound, permission: "configuration:read", key: "o" },
      { label: "Profiles", href: "/admin/profiles", icon: Layers, permission: "configuration:read", key: "l" },
      { label: "Intent routing", href: "/admin/intents", icon: Route, permission: "configuration:read", key: "i" },
      { label: "Flow rules", href: "/admin/flows", icon: Waves, permission: "configuration:read" },
      { label: "Flow labels", href: "/admin/labels", icon: Tag, permission: "configuration:read" },
      { label: "Trifecta", href: "/admin/trifecta", icon: Triangle, permission: "executions:read" },
      { label: "Flow guesses", href: "/admin/flow-guesses", icon: Lightbulb, permission: "configuration:read" },
      { label: "Assertions", href: "/admin/assertions", icon: BookCheck, permission: "configuration:read", key: "x" },
    ],
  },
  {
    label: "Supply",
    entries: [
      { label: "Tools", href: "/admin/tools", icon: Wrench, permission: "configuration:read", key: "t" },
      { label: "Sources", href: "/admin/sources", icon: Plug, permission: "configuration:read", key: "s" },
      {
        label: "Drift review",
        href: "/admin/drift",
        icon: FileDiff,
        permission: "configuration:read",
        key: "d",
        counts: "drift",
      },
    ],
  },
  {
    label: "Settings",
    startsClosed: true,
    entries: [
      { label: "Client connections", href: "/admin/connections", icon: Cable, permission: "configuration:read" },
      { label: "OAuth clients", href: "/admin/clients", icon: AppWindow, permission: "configuration:read" },
      { label: "Issuers", href: "/admin/issuers", icon: FileKey2, permission: "configuration:read" },
      { label: "Secrets", href: "/admin/secrets", icon: LockKeyhole, permission: "configuration:read" },
      {
        label: "Linked accounts",
        href: "/admin/linked-accounts",
        icon: Link2,
        permission: "configuration:read",
      },
      {
        label: "Webhooks",
        href: "/admin/webhooks",
        icon: Webhook,
        permission: "configuration:read",
        also: ["/admin/deliveries"],
      },
      { label: "Users", href: "/admin/users", icon: Users, permission: "people:read", key: "u" },
      { label: "Access tokens", href: "/admin/tokens", icon: KeyRound, permission: "people:read" },
      {
        label: "Configuration",
        href: "/admin/configuration",
        icon: FileCog,
        permission: "configuration:read",
        key: "c",
      },
      { label: "General settings", href: "/admin/settings", icon: Settings2, permission: "configuration:read" },
    ],
  },
];

/** The labels of pages that are neither navigation entries nor rows. */
const LABELS: Readonly<Record<string, string>> = {
  "/admin/start": "Getting started",
  "/admin/api-keys": "API keys",
  // A list of the inbox, whose tabs name it.
  "/admin/requests": "Approvals",
  "/admin/deliveries": "Deliveries",
  "/admin/executions/verify": "Integrity",
};

/** The label of the page at an address; `undefined` for a row's page. */
export function labelOf(pathname: string): string | undefined {
  return LABELS[pathname] ?? NAVIGATION.flatMap(({ entries }) => entries).find(({ href }) => href === pathname)?.label;
}

/** The page above a row's: `/admin/policies/finance` → `/admin/policies`. */
export function homeOf(pathname: string): `/admin/${string}` {
  return `/admin/${pathname.split("/")[2] ?? ""}`;
}

/** The row whose page is at an address: `/admin/policies/finance` → `policies`, `finance`; `null` for other pages. */
export function rowAt(pathname: string): { readonly section: string; readonly id: string } | null {
  const [, , section = "", id] = pathname.split("/");
  return id === undefined || id === "new" ? null : { section, id: decodePercent(id) };
}

/** The entry an address belongs to. */
export function entryOf(pathname: string): Entry | undefined {
  const inside = (href: string) => pathname === href || pathname.startsWith(`${href}/`);
  return NAVIGATION.flatMap((section) => section.entries).find(
    (entry) => inside(entry.href) || entry.also?.some(inside) === true,
  );
}
