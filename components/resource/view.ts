import type { ComponentType, ReactNode } from "react";
import type { Draft } from "@/components/resource/editor/draft";
import type { Named } from "@/components/resource/use-names";
import type { Input, ResourceName, Row } from "@/lib/resources";
import type { BulkChange } from "@/lib/contracts/changes/bulk";

/** One column of a list. */
export interface Column<T> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: T, canWrite: boolean) => ReactNode;
  /** The server sorts by this column's id. */
  readonly sorts?: boolean;
  /** The fields of a row that it shows, for a file of the list; absent = the one that it is called like. */
  readonly fields?: readonly (keyof T & string)[];
  readonly className?: string;
  /** It shows where somebody chose it: most have no use for it. */
  readonly aside?: boolean;
}

/** One discrete filter of a list, sent to the server under its key: fixed options, or the names of a resource. */
export type Filter = { readonly key: string; readonly label: string } & (
  { readonly options: readonly { readonly value: string; readonly label: string }[] } | { readonly names: Named }
);

/** A filter whose value is any text: typed under "More filters", or set by a link from elsewhere. */
export interface Chip {
  readonly key: string;
  readonly label: string;
  /** What a value looks like. */
  readonly example?: string;
}

/** Something that is done to many rows of a list together: a change that is complete, or one that asks for texts. */
export type BulkAction = { readonly label: string } & (
  | {
      readonly change: BulkChange;
      /** It disables rows that keep why. */
      readonly asksReason?: boolean;
    }
  | {
      /** To or from a field that is a list. */
      readonly kind: "add" | "remove";
      readonly field: string;
      /** What the texts are: "Labels". */
      readonly asks: string;
      /** They are names of these; absent = any text. */
      readonly names?: Named;
    }
);

/** What a form gets: the draft it edits and the stored row, if there is one. */
export interface FieldsProps<R extends ResourceName> {
  readonly draft: Draft<Input<R>>;
  readonly row: Row<R> | null;
}

/** A further tab of a detail page, beside the form. */
export interface DetailTab<R extends ResourceName> {
  readonly value: string;
  readonly label: string;
  readonly Panel: ComponentType<{ row: Row<R> }>;
}

/** How one resource looks: everything else of a screen is shared. */
export interface View<R extends ResourceName> {
  /** The first column is the row's link. */
  readonly columns: readonly Column<Row<R>>[];
  readonly filters?: readonly Filter[];
  /** Filters whose value is any text. */
  readonly chips?: readonly Chip[];
  /** A column's id with an optional `-`. */
  readonly sort: string;
  /** What a new one starts with. */
  readonly blank: Input<R>;
  /** What a row's author could have written: the row without what the server adds. */
  readonly toInput: (row: Row<R>) => Input<R>;
  readonly Fields: ComponentType<FieldsProps<R>>;
  /** Beside the form: what the draft does. */
  readonly Aside?: ComponentType<FieldsProps<R>>;
  /** Nothing stands beside its form: it needs the whole width, or its history has a tab of its own. */
  readonly fillsPage?: boolean;
  readonly Detail?: readonly DetailTab<R>[];
  /** Beside the row's name. */
  readonly Badges?: ComponentType<{ row: Row<R> }>;
  /** Under the row's name: what to look at first. */
  readonly Notice?: ComponentType<{ row: Row<R> }>;
  /** Beside the row's menu, for who may write. */
  readonly RowActions?: ComponentType<{ row: Row<R> }>;
  /** Above the list: imports and other ways in. */
  readonly Actions?: ComponentType;
  /** One item of a list field in words, for the review of changes. */
  readonly wording?: Partial<Record<string, (item: never) => string>>;
  /** A secret that only the answer to a creation holds. */
  readonly secretOf?: (answer: Row<R>) => { title: string; secret: string } | null;
  /** What can be done to many of them together, besides deleting them. */
  readonly bulk?: readonly BulkAction[];
  /** What it is for, in one sentence: shown while there is none. */
  readonly purpose: string;
  /** Its fields show what a draft would do: the bar under them need not. */
  readonly showsImpact?: boolean;
  /** The name cannot change, or its owner cannot (a key's agent). */
  readonly createOnly?: boolean;
}

/** What a screen needs to know of a resource; its page hands this over from the table of resources. */
export interface ResourceFacts<R extends ResourceName> {
  readonly resource: R;
  readonly id: "name" | "id";
  /** Singular and plural. */
  readonly words: readonly [string, string];
  readonly canWrite: boolean;
}

/** What every screen of a resource gets; `id` is the row's, empty where there is none. */
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
