import { describe, expect, it } from 'vitest'
import {
  compareResult,
  isCurrentInLms,
  isOfOldMaximum,
  nextTimestamp,
  scoreComment,
  scorePoints,
} from './score-values.ts'

describe('points', () => {
  it('of a column with as many are those given, and else the same share with four decimals at most', () => {
    const of = (maximum: number) => scorePoints({ given: 25.25, of: 37 }, maximum)
    expect([37, 100, 74].map(of)).toEqual([25.25, 68.2432, 50.5])
  })
})

describe('comments', () => {
  it('are plain text, without what gradebooks do not show', () => {
    expect(scoreComment(' Well\r\nargued.\u0000\u001b[1m \n')).toBe('Well\nargued.[1m')
  })

  it('are cut between words, and say so', () => {
    const cut = scoreComment('word '.repeat(5000))
    expect(cut.length).toBeLessThanOrEqual(2000)
    expect(cut).toMatch(/word… \(shortened; full text in Assay\)$/)
  })

  it.each(['', 'x'])('are cut within words of any length, but within no character: after “%s”', (start) => {
    const cut = scoreComment(start + '😀'.repeat(3000))
    expect(cut.length).toBeLessThanOrEqual(2000)
    expect(cut.isWellFormed()).toBe(true)
  })
})

describe('timestamps', () => {
  const now = new Date('2026-03-01T10:00:00.400Z')
  it.each([
    [null, '2026-03-01T10:00:00.400Z'],
    ['2026-03-01T09:00:00.000Z', '2026-03-01T10:00:00.400Z'],
    ['2026-03-01T10:00:00.100Z', '2026-03-01T10:00:01.000Z'],
    ['2026-03-01T10:00:07.900Z', '2026-03-01T10:00:08.000Z'],
  ])('after %s come in a later second', (last, next) => {
    expect(nextTimestamp(now, last === null ? null : new Date(last)).toISOString()).toBe(next)
  })
})

describe('what is in the LMS', () => {
  const stamp = new Date('2026-03-01T10:00:00.400Z')
  const sent = { score: { given: 8, of: 10 }, comment: 'Good work', revision: 1, points: 16, maximum: 20, stamp }
  const before = { points: 10, maximum: 20 }
  it.each([
    ['with the same time', { share: 0.8, comment: null, at: new Date('2026-03-01T10:00:00Z') }, before, true],
    ['with the same words', { share: 0.8, comment: 'Good  work\n', at: null }, before, true],
    ['with other words', { share: 0.8, comment: 'Bad work', at: null }, before, false],
    ['with no words, where it was another before', { share: 0.8, comment: null, at: null }, before, true],
    [
      'with no words, where it was the same before',
      { share: 0.8, comment: null, at: null },
      { points: 8, maximum: 10 },
      false,
    ],
    ['as another score', { share: 0.5, comment: 'Good work', at: stamp }, before, false],
    ['as nothing', null, before, false],
  ])('is ours %s', (_how, result, was, ours) => {
    expect(isCurrentInLms(result, sent, was)).toBe(ours)
  })

  it('is cleared where there is no score any more, and not where there never was one', () => {
    const cleared = { ...sent, score: null, points: null }
    expect(isCurrentInLms(null, cleared, before)).toBe(true)
    expect(isCurrentInLms({ share: 0.5, comment: null, at: null }, cleared, before)).toBe(false)
    expect(isCurrentInLms(null, cleared, null)).toBe(false)
  })
})

describe('what a gradebook shows is', () => {
  const of = (points: number | null, maximum = 20) => ({ points, maximum })
  const shows = (points: number | null, maximum = 20) => ({
    ...{ points, maximum: points === null ? null : maximum, comment: null, at: null },
    share: points === null ? null : points / maximum,
  })
  it.each([
    ['the same points', of(16.5), shows(16.5), 'same'],
    ['the same percentage of another maximum', of(16.5), shows(82.5, 100), 'same'],
    ['a share of 1', of(15), shows(0.75, 1), 'same'],
    ['rounded to a hundredth of a point', of(6.6667), shows(6.67), 'same'],
    ['five decimals of a third, as Moodle has them', of(1, 3), shows(0.33333, 1), 'same'],
    ['a tenth of a point more', of(16.5), shows(16.6), 'different'],
    ['rounded to whole points', of(16.5), shows(17), 'different'],
    ['an entry without points', of(16.5), shows(null), 'different'],
    ['no entry', of(16.5), null, 'missing'],
    ['none of 0 points', of(0), null, 'unknown'],
    ['an entry without points for 0', of(0), shows(null), 'unknown'],
    ['points in place of 0', of(0), shows(3), 'different'],
    ['nothing after it was cleared', of(null), null, 'same'],
    ['points after it was cleared', of(null), shows(3), 'different'],
  ] as const)('%s', (_what, sent, shown, state) => {
    expect(compareResult(sent, shown, true)).toBe(state)
  })

  const at = new Date('2026-05-04T10:00:00Z')
  const setAt = (minutes: number) => ({ ...shows(10, 100), at: new Date(at.getTime() + minutes * 60_000) })
  it.each([
    ['as many points of a lower maximum', of(100, 100), null, shows(100, 37), true],
    ['as many points of a higher one, rounded', of(6.6667), null, shows(6.67, 100), true],
    ['the same share of it', of(100, 100), null, shows(37, 37), false],
    ['other points', of(10), null, shows(11, 100), false],
    ['set there since, by the LMS’s time', of(10), null, setAt(6), false],
    ['not since, though others were', of(10), 'different' as const, setAt(1), true],
    ['set back to them, where it tells no time', of(10), 'different' as const, shows(10, 100), false],
  ])('our points of an old maximum, or not: %s', (_what, sent, before, shown, old) => {
    expect(isOfOldMaximum({ ...sent, at }, before, shown, shown?.maximum ?? 100)).toBe(old)
  })

  it('not known of an LMS that has never shown any', () => {
    expect(compareResult(of(16.5), null, false)).toBe('unknown')
    expect(compareResult(of(16.5), shows(null), false)).toBe('unknown')
  })
})
