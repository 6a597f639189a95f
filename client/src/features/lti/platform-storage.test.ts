import { describe, expect, it, vi } from 'vitest'
import { clearPlatformStorage, platformStorageFrom, readPlatformStorage } from './launch-session.ts'

const place = { frame: 'post_message_forwarding', origin: 'https://lms.example', key: 'assay_1' }

function lms(answer: (said: Record<string, unknown>) => { data: object; origin?: string } | null) {
  const heard: { message: Record<string, unknown>; origin: string }[] = []
  const keeper = {
    postMessage(message: Record<string, unknown>, origin: string) {
      heard.push({ message, origin })
      const reply = answer(message)
      if (!reply) return
      const event = new MessageEvent('message', { data: reply.data, origin: reply.origin ?? place.origin })
      Object.defineProperty(event, 'source', { value: keeper })
      window.dispatchEvent(event)
    },
  }
  vi.stubGlobal('parent', { [place.frame]: keeper })
  return heard
}

const answered = ({ subject, message_id }: Record<string, unknown>, more: object) => ({
  data: { subject: `${subject}.response`, message_id, ...more },
})

describe('the LMS’s storage for a launch', () => {
  it('is asked for at the frame and origin the address names, and forgotten there', async () => {
    const heard = lms((said) => answered(said, { key: said.key, value: 'secret-1' }))
    expect(await readPlatformStorage(place)).toBe('secret-1')
    clearPlatformStorage(place)
    expect(heard.map(({ message, origin }) => [message.subject, message.key, message.value, origin])).toEqual([
      ['lti.get_data', 'assay_1', undefined, 'https://lms.example'],
      ['lti.put_data', 'assay_1', null, 'https://lms.example'],
    ])
  })

  it('is nothing where it refuses, or there is no such frame', async () => {
    lms((said) => answered(said, { error: { code: 'wrong_origin' } }))
    expect(await readPlatformStorage(place)).toBeUndefined()
    expect(await readPlatformStorage({ ...place, frame: 'another' })).toBeUndefined()
  })

  it('is taken from nobody else, and not waited for without end', async () => {
    vi.useFakeTimers()
    lms((said) => ({ ...answered(said, { value: 'forged' }), origin: 'https://evil.example' }))
    const reading = readPlatformStorage(place)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await reading).toBeUndefined()
  })

  it.each([
    '',
    '?to=%2Fcourses',
    '?frame=_parent&origin=evil&key=k',
    '?frame=_parent&origin=https://x.example/p&key=k',
  ])('is not looked for at %s', (search) => expect(platformStorageFrom(search)).toBeNull())
})
