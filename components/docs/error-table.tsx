import { Table, Td, Th } from "@/components/ui/table";
import { ERRORS } from "@/lib/errors";

/** Every error code: its HTTP status, and whether the same request may succeed later. */
export function ErrorTable() {
  return (
    <Table label="Error codes" compact>
      <thead>
        <tr>
          <Th>Code</Th>
          <Th>Status</Th>
          <Th>Retry</Th>
          <Th>Meaning</Th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(ERRORS).map(([code, { status, retryable, title }]) => (
          <tr key={code}>
            <Td className="font-mono text-xs">{code}</Td>
            <Td className="font-mono text-xs">{status}</Td>
            <Td>{retryable ? "yes" : "no"}</Td>
            <Td>{title}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
