import { describe, expect, it } from 'vitest'
import { isCurrentInLms, nextTimestamp, scoreComment, scorePoints } from './score-values.ts'

describe('points', () => {
  it.each([
    [83.3, 30, 25],
    [66.7, 3, 2],
    [82.5, 20, 16.5],
    [100, 7.5, 7.5],
    [0, 20, 0],
    [33.3, 10, 3.33],
    [99.96, 20, 19.992],
    [77.53, 100, 77.53],
    [14.3, 7, 1],
    [50, 1, 0.5],
  ])('of %f %% of %f are %f: the roundest number that is still this percentage', (percent, maximum, points) => {
    expect(scorePoints(percent, maximum)).toBe(points)
  })

  it('are never off by more than the percentage itself', () => {
    for (let tenth = 0; tenth <= 1000; tenth++)
      for (const maximum of [1, 3, 7, 12.5, 20, 30, 100, 1000])
        expect(Math.abs((100 * scorePoints(tenth / 10, maximum)) / maximum - tenth / 10)).toBeLessThanOrEqual(0.05001)
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
  const sent = { percent: 80, comment: 'Good work', revision: 1, points: 16, maximum: 20, stamp }
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
    const cleared = { ...sent, percent: null, points: null }
    expect(isCurrentInLms(null, cleared, before)).toBe(true)
    expect(isCurrentInLms({ share: 0.5, comment: null, at: null }, cleared, before)).toBe(false)
    expect(isCurrentInLms(null, cleared, null)).toBe(false)
  })
})
