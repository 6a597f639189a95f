const isSameFile = (a: File, b: File) => a.name === b.name && a.size === b.size && a.lastModified === b.lastModified

export function appendNewFiles(have: readonly File[], added: readonly File[]): File[] {
  return [...have, ...added.filter((file) => !have.some((old) => isSameFile(old, file)))]
}
