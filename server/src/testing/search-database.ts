import mongoose from 'mongoose'

/** By collection, as JSON. */
export async function searchDatabase(words: string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const { db } = mongoose.connection
  if (!db) throw new Error('connected')
  for (const { name } of await db.listCollections().toArray()) {
    for await (const doc of db.collection(name).find()) {
      const text = JSON.stringify(doc)
      if (words.some((word) => text.toLowerCase().includes(word.toLowerCase())))
        found[name] = [...(found[name] ?? []), text]
    }
  }
  return found
}
