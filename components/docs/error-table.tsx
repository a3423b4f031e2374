import { guideHref } from "@/components/docs/guides";
import { TextLink } from "@/components/ui/text-link";
import { Headers, Table, Td } from "@/components/ui/table";

interface ErrorTableProps {
  errors: Readonly<Record<string, { readonly status: number; readonly retryable: boolean; readonly title: string }>>;
}

/** Every error code: its HTTP status, and whether the same request may succeed later. */
export function ErrorTable({ errors }: ErrorTableProps) {
  return (
    <Table label="Error codes" compact>
      <Headers of={["Code", "Status", "Retry", ["Meaning", "w-full min-w-44"]]} />
      <tbody>
        {Object.entries(errors).map(([code, { status, retryable, title }]) => (
          <tr key={code}>
            <Td className="font-mono text-xs">
              <TextLink href={guideHref("http", code)}>{code}</TextLink>
            </Td>
            <Td className="font-mono text-xs">{status}</Td>
            <Td>{retryable ? "yes" : "no"}</Td>
            <Td>{title}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
