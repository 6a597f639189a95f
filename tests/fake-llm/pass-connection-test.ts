import { createHash } from 'node:crypto'
import { drawableWords, drawWord } from '../../server/src/features/llm/connection-test/test-llm.ts'
import type { FakeLlm } from './fake-llm.ts'

/** Uses only the ids of a list, and reads the word on an image. */
export async function passConnectionTest(fake: FakeLlm): Promise<void> {
  for (const word of drawableWords) {
    const { bytes } = await drawWord(word)
    fake.transcripts.set(createHash('sha256').update(bytes).digest('hex'), word)
  }
  fake.answerers.push(({ texts }) =>
    texts.some((text) => text.includes('c1 (0 to 2 points)'))
      ? {
          criteria: [
            { id: 'c1', points: 2, quote: 'The sky is blue', reason: 'It names the colour.' },
            { id: 'c2', points: 0, quote: null, reason: 'It does not say why.' },
          ],
        }
      : undefined,
  )
}
