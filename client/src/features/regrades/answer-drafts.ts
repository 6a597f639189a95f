/** By person and request, so that leaving the paper costs nobody their words. */
const drafts = new Map<string, string>()

const keyOf = (userId: number, requestId: number) => `${userId}/${requestId}`

export const answerDrafts = {
  find: (userId: number, requestId: number) => drafts.get(keyOf(userId, requestId)) ?? '',
  save(userId: number, requestId: number, words: string) {
    if (words.trim() === '') drafts.delete(keyOf(userId, requestId))
    else drafts.set(keyOf(userId, requestId), words)
  },
  clear: () => drafts.clear(),
}
