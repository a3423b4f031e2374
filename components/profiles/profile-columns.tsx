import { NAME_COLUMN } from "@/components/resource/columns";
import type { Column } from "@/components/resource/view";
import { counted } from "@/components/ui/counted";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import type { ProfileRow } from "@/lib/resources/profile";

/** The columns of a profile, next to its name. */
export const PROFILE_COLUMNS: readonly Column<ProfileRow>[] = [
  NAME_COLUMN,
  {
    id: "allowed",
    header: "Tools",
    fields: ["allowed", "denied"],
    className: "whitespace-nowrap tabular-nums",
    cell: ({ allowed, denied }) => (
      <span className="text-muted">
        {allowed.toLocaleString("en")} of {(allowed + denied).toLocaleString("en")}
      </span>
    ),
  },
  {
    id: "drift",
    header: "Held back",
    sorts: true,
    className: "whitespace-nowrap",
    cell: (row) => (
      <span className="relative z-1">
        <HeldBack profile={row} />
      </span>
    ),
  },
  {
    id: "meaning",
    header: "Meaning",
    className: "min-w-40 2xl:whitespace-nowrap",
    cell: ({ meaning }) => <span className="text-muted">{meaning}</span>,
  },
  { id: "allowedSources", header: "Allowed sources", cell: ({ allowedSources }) => <Words words={allowedSources} /> },
  {
    id: "allowedNames",
    header: "Allowed operations",
    cell: ({ allowedNames }) => <Words words={allowedNames} none="all tools of these sources" />,
  },
  {
    id: "deniedSources",
    header: "Denied sources",
    cell: ({ deniedSources }) => <Words words={deniedSources} denied />,
  },
  {
    id: "deniedNames",
    header: "Denied operations",
    className: "w-full",
    cell: ({ deniedNames }) => <Words words={deniedNames} denied />,
  },
];

function HeldBack({ profile: { name, drift } }: { profile: ProfileRow }) {
  if (drift === 0) return <span className="text-faint">none</span>;
  return (
    <TextLink href={`/admin/profiles/${name}`}>
      <Badge tone="warn">{counted(drift, "tool")}</Badge>
      <span className="sr-only"> held back from {name}</span>
    </TextLink>
  );
}

interface WordsProps {
  words: readonly string[];
  denied?: boolean;
  /** Shown without words. */
  none?: string;
}

function Words({ words, denied = false, none = "none" }: WordsProps) {
  if (words.length === 0) return <span className="text-faint">{none}</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {words.map((word) => (
        <Badge key={word} tone={denied ? "deny" : "neutral"} mono>
          {word === "*" ? "all" : word}
        </Badge>
      ))}
    </span>
  );
}
