/** About how many bytes a decoded value takes in memory, several times its BSON. */
export function memorySizeOf(value: unknown): number {
  if (typeof value === 'string') return 32 + value.length
  if (typeof value !== 'object' || value === null) return 16
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + memorySizeOf(item), 48)
  if (value instanceof Date) return 100
  if (value instanceof Uint8Array) return 150 + value.length
  // An ObjectId holds its bytes in a buffer of their own.
  if ('_bsontype' in value) return value._bsontype === 'Binary' ? 300 + binaryLength(value) : 220
  let size = 64
  for (const inner of Object.values(value)) size += 24 + memorySizeOf(inner)
  return size
}

function binaryLength(value: object): number {
  return 'position' in value && typeof value.position === 'number' ? value.position : 0
}
