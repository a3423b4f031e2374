import type { ComponentType, ReactNode } from "react";
import type { Draft } from "@/components/resource/editor/draft";
import type { Named } from "@/components/resource/use-names";
import type { Input, ResourceName, Row } from "@/lib/resources";
import type { BulkChange } from "@/lib/contracts/changes/bulk";

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  /** What the header means, for a column that does not sort. */
  readonly hint?: string;
  readonly cell: (row: T, canWrite: boolean) => ReactNode;
  /** Parameters that the list's query needs for the column. */
  readonly asks?: Readonly<Record<string, string>>;
  /** The server sorts by this column's id. */
  readonly sorts?: boolean;
  /** The fields that an export of this column contains; absent = the field with the column's id. */
  readonly fields?: readonly (keyof T & string)[];
  readonly className?: string;
  /** Hidden unless a person selects it, because most people do not need it. */
  readonly aside?: boolean;
}

/** One discrete filter of a list, sent to the server under its key: fixed options, or the names of a resource. */
export type Filter = {
  readonly key: string;
  readonly label: string;
  /** The value that is sent while the filter is not set; absent = none. */
  readonly unset?: string;
  /** Tabs above the list set it: it has no menu. */
  readonly byTabs?: true;
} & ({ readonly options: readonly { readonly value: string; readonly label: string }[] } | { readonly names: Named });

/** A filter whose value is any text: typed under "More filters", or set by a link from elsewhere. */
export interface Chip {
  readonly key: string;
  readonly label: string;
  readonly example?: string;
  /** Suggestions: the names of a resource, or fixed values. The log also holds other values, so any text is valid. */
  readonly names?: Named;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Whether only the options are valid. The form and the chip then show their labels. */
  readonly isClosed?: true;
}

/** An action on rows that a person ticked, which leads to another page. */
interface BulkPage {
  readonly label: string;
  /** The address of the page, for the ids of the rows. */
  readonly addressFor: (ids: readonly string[]) => string;
}

/** An action on many rows of a list: a complete change, or one that needs texts from the person. */
export type BulkChangeAction = { readonly label: string } & (
  | {
      readonly change: BulkChange;
      /** Whether it disables rows that store a reason. */
      readonly asksReason?: boolean;
    }
  | {
      /** Adds texts to a list field, or removes them. */
      readonly kind: "add" | "remove";
      readonly field: string;
      /** The name of the texts: "Labels". */
      readonly asks: string;
      /** The resource whose names the texts are; absent = any text. */
      readonly names?: Named;
      /** What to do where no name matches the typed text. */
      readonly empty?: string;
    }
);

/** An entry of the bar below a list with ticked rows. */
export type BulkAction = BulkChangeAction | BulkPage;

/** The props of a form: its draft and the stored row, if there is one. */
export interface FieldsProps<R extends ResourceName> {
  readonly draft: Draft<Input<R>>;
  readonly row: Row<R> | null;
}

/** A part of a long form: a tab on the page of a row. The page of a new row shows all parts in sequence. */
interface FormPart<R extends ResourceName> {
  readonly value: string;
  readonly label: string;
  readonly Panel: ComponentType<FieldsProps<R>>;
}

interface DetailTab<R extends ResourceName> {
  readonly value: string;
  readonly label: string;
  readonly Panel: ComponentType<{ row: Row<R> }>;
  /** Whether the tab holds what a person typed while another one is open. */
  readonly keeps?: boolean;
}

/** What is specific to one resource's pages. Everything else is shared. */
export interface View<R extends ResourceName> {
  /** The first column is the row's link. */
  readonly columns: readonly Column<Row<R>>[];
  readonly filters?: readonly Filter[];
  /** Filters whose value is any text. */
  readonly chips?: readonly Chip[];
  /** A column's id with an optional `-`. */
  readonly sort: string;
  /** The initial value of a new row. */
  readonly blank: Input<R>;
  /** Converts a row to its input: without the fields that the server adds. */
  readonly toInput: (row: Row<R>) => Input<R>;
  readonly Fields: ComponentType<FieldsProps<R>>;
  /** The parts of a long form that follow its first fields. */
  readonly parts?: readonly FormPart<R>[];
  /** The side column next to the form: the effect of the draft. */
  readonly Aside?: ComponentType<FieldsProps<R>>;
  /** Whether the form has no side column, because it needs the whole width or its history is in a tab. */
  readonly fillsPage?: boolean;
  readonly Detail?: readonly DetailTab<R>[];
  /** The first tab of a row's page, before the form: what the row has and does now. */
  readonly Home?: ComponentType<{ row: Row<R> }>;
  /** Content next to the row's name. */
  readonly Badges?: ComponentType<{ row: Row<R> }>;
  /** A notice under the row's name. */
  readonly Notice?: ComponentType<{ row: Row<R> }>;
  /** Actions next to the row's menu, for people who may write. */
  readonly RowActions?: ComponentType<{ row: Row<R> }>;
  /** Content between the filters of the list and its rows. */
  readonly Above?: ComponentType;
  /** Actions above the list that create rows, such as imports. */
  readonly Actions?: ComponentType;
  /** Whether most people create rows by `Actions`. Then no button is the main one. */
  readonly prefersActions?: boolean;
  /** One item of a list field in words, for the review of changes. */
  readonly wording?: Partial<Record<string, (item: never) => string>>;
  /** How to use a new secret, shown with it. */
  readonly SecretUse?: ComponentType<{ row: Row<R>; secret: string }>;
  /** A secret that only the answer to a creation holds. */
  readonly secretOf?: (answer: Row<R>) => { title: string; what: string; secret: string } | null;
  /** Actions on many rows, besides deletion. */
  readonly bulk?: readonly BulkAction[];
  /** How to create the first row. Shown while the list is empty; by default, the purpose of the page. */
  readonly whenEmpty?: string;
  /** Whether the fields show the effect of a draft. Then the bar below does not. */
  readonly showsImpact?: boolean;
}

/** The facts about a resource that a screen needs. Its page passes them from the table of resources. */
export interface ResourceFacts<R extends ResourceName> {
  readonly resource: R;
  readonly id: "name" | "id";
  /** Singular and plural. */
  readonly words: readonly [string, string];
  readonly canWrite: boolean;
}

/** The props of every screen of a resource. `id` is the row's; empty without one. */
export interface ScreenProps<R extends ResourceName> {
  readonly facts: ResourceFacts<R>;
  readonly view: View<R>;
  readonly id: string;
}

/** The text that names a row in addresses. */
export function idOf<R extends ResourceName>(facts: ResourceFacts<R>, row: Row<R>): string {
  return String((row as Record<string, unknown>)[facts.id]);
}

/** The address of a row's page. */
export function hrefOf(resource: ResourceName, id: string): string {
  return `/admin/${resource}/${encodeURIComponent(id)}`;
}
