/** The value of a `datetime-local` field, in so many hours; browser and test share a time zone. */
export function dateTimeIn(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
