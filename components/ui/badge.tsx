import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";

const style = cva(
  "inline-flex h-5 max-w-full items-center gap-1 rounded px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        neutral: "bg-hover text-muted",
        accent: "bg-accent-soft text-accent",
        allow: "bg-allow-soft text-allow",
        deny: "bg-deny-soft text-deny",
        warn: "bg-warn-soft text-warn",
        outline: "border border-line text-muted",
      },
      mono: { true: "font-mono text-xs font-normal", false: "" },
    },
    defaultVariants: { tone: "neutral", mono: false },
  },
);

/** The semantic tones: `allow`, `deny`, `warn` (hidden, held back), `accent`, `neutral`, `outline`. */
export type Tone = NonNullable<VariantProps<typeof style>["tone"]>;

/** A short fact. Colour is never its only sign: the text says it. */
export function Badge({
  tone,
  mono,
  className,
  children,
  ...rest
}: ComponentProps<"span"> & VariantProps<typeof style>) {
  return (
    <span {...rest} className={cn(style({ tone, mono }), className)}>
      {typeof children === "string" ? <span className="truncate">{children}</span> : children}
    </span>
  );
}
