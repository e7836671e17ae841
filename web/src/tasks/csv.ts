// Exports the numbers of a figure as CSV (RFC 4180), safe to open in a spreadsheet.

export type CsvCell = string | number | null | undefined;

function formatCell(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  // Names come from third parties: a leading =, +, - or @ would run as a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toCsv(columns: string[], rows: CsvCell[][]): string {
  return [columns, ...rows].map((row) => row.map(formatCell).join(',')).join('\r\n') + '\r\n';
}
