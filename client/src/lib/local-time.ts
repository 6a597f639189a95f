const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A moment as a `datetime-local` field holds it: in the reader's own time zone, to the minute. Empty for none. */
export function toLocalInput(iso: string | null): string {
  if (!iso) return ''
  const at = new Date(iso)
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

/** What a `datetime-local` field holds, in UTC; null while it holds nothing whole. */
export function fromLocalInput(text: string): string | null {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** `Europe/Berlin`: the time zone of local times. */
export function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
