import { ClipboardCopy } from "lucide-react";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-button";
import { Menu, MenuItem } from "@/components/ui/overlays/menu";
import { quoted } from "@/components/ui/text/quoted";
import { toast } from "@/components/ui/overlays/toast";

interface CopyItemsProps {
  /** The path of the API that returns it. */
  path: `/api/admin/${string}`;
  /** The answer of the API. */
  value: object;
  /** The row's page, when it is not the present address. */
  href?: string;
}

/** Copy actions of an object besides its id: JSON, a link to its page, and the API request. */
export function CopyItems({ path, value, href }: CopyItemsProps) {
  const copy = (text: string) => void copyText(text).then((isCopied) => isCopied && toast({ title: "Copied" }));
  const link = () => (href === undefined ? window.location.href : new URL(href, window.location.origin).href);
  return (
    <>
      <MenuItem onSelect={() => copy(JSON.stringify(value, null, 2))}>Copy JSON</MenuItem>
      <MenuItem onSelect={() => copy(link())}>Copy link</MenuItem>
      <MenuItem onSelect={() => copy(curlOf(path))}>Copy as curl</MenuItem>
    </>
  );
}

/** The same actions under a button. */
export function CopyMenu(props: CopyItemsProps) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="sm">
          <ClipboardCopy aria-hidden /> Copy as…
        </Button>
      }
    >
      <CopyItems {...props} />
    </Menu>
  );
}

/** The token comes from the environment: a command that was copied holds no secret. */
function curlOf(path: string): string {
  return `curl -sS -H "Authorization: Bearer $QUARTERMASTER_TOKEN" ${quoted(`${window.location.origin}${path}`)}`;
}
