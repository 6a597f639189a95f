const twoDigits = (value: number) => String(value).padStart(2, '0')

/** As a `datetime-local` field holds it: in the reader's time zone, to the minute. Empty for none. */
export function toLocalInput(iso: string | null): string {
  if (!iso) return ''
  const at = new Date(iso)
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

/** In UTC; null for an incomplete value. */
export function fromLocalInput(text: string): string | null {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** Such as `Europe/Berlin`. */
export function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
