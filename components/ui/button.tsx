import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle, type LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";

/** The style of every button, and of links that look like one (`LinkButton`). On a phone each is a target of 40 pixels. */
export const buttonStyle = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border text-sm font-medium whitespace-nowrap transition-colors select-none disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "border-transparent bg-accent-fill text-on-accent hover:not-disabled:bg-accent-fill-hover",
        secondary: "border-line bg-raised text-ink hover:not-disabled:bg-hover",
        ghost: "border-transparent text-muted hover:not-disabled:bg-hover hover:not-disabled:text-ink",
        danger: "border-transparent bg-deny-fill text-on-accent hover:not-disabled:opacity-90",
      },
      size: {
        sm: "h-7 px-2 max-sm:h-10",
        md: "h-8 px-3 max-sm:h-10",
        icon: "size-7 px-0 max-sm:size-10",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonStyle> {
  /** Whether the action is running. Then the button shows a spinner and ignores presses, but keeps the focus. */
  pending?: boolean | undefined;
}

/** A button; `type="button"` by default, so that none submits a form by accident. */
export function Button({
  variant,
  size,
  pending = false,
  className,
  disabled,
  children,
  type = "button",
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      // Otherwise the press would submit the form again.
      onClick={pending ? (event) => event.preventDefault() : onClick}
      className={cn(buttonStyle({ variant, size }), className)}
    >
      {pending && <LoaderCircle aria-hidden className="animate-spin" />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "aria-label" | "children" | "size"> {
  icon: LucideIcon;
  /** What the button does, for screen readers. */
  label: string;
}

/** A button that shows an icon instead of words. */
export function IconButton({ icon: Icon, label, variant = "ghost", ...rest }: IconButtonProps) {
  return (
    <Button {...rest} variant={variant} size="icon" aria-label={label}>
      <Icon aria-hidden />
    </Button>
  );
}
