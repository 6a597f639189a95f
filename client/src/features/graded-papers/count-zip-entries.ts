/** What each file in a ZIP begins with. */
const SIGNATURE = [0x50, 0x4b, 0x03, 0x04]

/** Counts the files of a ZIP while it comes, in pieces of any size; to show progress, as a file might hold the same four bytes. */
export function createZipEntryCounter(): (piece: Uint8Array) => number {
  let count = 0
  let matched = 0
  return (piece) => {
    for (const byte of piece) {
      matched = byte === SIGNATURE[matched] ? matched + 1 : byte === SIGNATURE[0] ? 1 : 0
      if (matched === SIGNATURE.length) {
        count += 1
        matched = 0
      }
    }
    return count
  }
}
