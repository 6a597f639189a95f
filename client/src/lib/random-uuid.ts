/** A version 4 UUID; also on a page without https, where browsers have no `crypto.randomUUID`. */
export function randomUuid(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)))
  const hex = bytes.map((byte, i) => {
    if (i === 6) return `4${(byte % 16).toString(16)}`
    return (i === 8 ? (byte % 64) + 128 : byte).toString(16).padStart(2, '0')
  })
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
