import { describe, expect, it } from 'vitest'
import { pointForStudent, textFeedback } from './feedback.ts'

describe('a point of the key as a student reads it', () => {
  it.each([
    ['M1 rain soaks into the chalk (1)', 'rain soaks into the chalk'],
    ['rain soaks into the chalk (accept limestone)', 'rain soaks into the chalk'],
    ['rain soaks into the chalk; allow limestone', 'rain soaks into the chalk'],
    ['Rain soaks into the chalk. Do not accept “mud”.', 'Rain soaks into the chalk'],
    ['rain soaks into the chalk owtte', 'rain soaks into the chalk'],
    ['rain soaks into the chalk (ecf)', 'rain soaks into the chalk'],
    ['so that the well fills', 'the well fills'],
    ['both the rain and the chalk stated', 'both the rain and the chalk'],
    ['Membranes allow water through', 'Membranes allow water through'],
    ['e.g. a wet cellar', 'a wet cellar'],
  ])('“%s”', (point, shown) => {
    expect(pointForStudent(point)).toBe(shown)
  })

  it.each(['Allow any sensible answer', 'Do not accept mud', 'max 2 marks', 'A1', '2 marks for both'])(
    'is nothing of “%s”',
    (point) => {
      expect(pointForStudent(point)).toBeNull()
    },
  )

  it('is cut at a word', () => {
    const shown = pointForStudent('rain '.repeat(80)) ?? ''
    expect(shown.length).toBeLessThan(170)
    expect(shown).toMatch(/rain …$/)
  })
})

describe('feedback on an answer in words', () => {
  const point = (text: string, found: boolean, coverage = found ? 1 : 0) => ({ text, found, coverage })

  it('names the points that match and the others, and no single words', () => {
    const points = [point('the rain soaks in', true), point('so the well fills', false)]
    expect(textFeedback({ earned: 0.5, remarks: [], points })).toBe(
      'Your answer matches the expected answer on “the rain soaks in”. The expected answer also has “the well fills”.',
    )
    expect(textFeedback({ earned: 0.5, remarks: [], points: points.map(({ text }) => point(text, false)) })).toBe(
      'The expected answer has “the rain soaks in” and “the well fills”.',
    )
  })

  it('does not name a point said in part that the score counts', () => {
    const points = [
      point('the rain soaks in', true),
      point('so the well fills', false, 0.5),
      point('it is cold', false),
    ]
    const said = (earned: number) => textFeedback({ earned, remarks: [], points })
    const found = 'Your answer matches the expected answer on “the rain soaks in”.'
    expect(said(1)).toBe(`${found} The expected answer also has “it is cold”.`)
    expect(said(0.7)).toBe(`${found} The expected answer also has “it is cold”.`)
    expect(said(0.4)).toBe(`${found} The expected answer also has “the well fills” and “it is cold”.`)
  })

  it('neither praises nor says that something is missing', () => {
    for (const found of [true, false]) {
      const said = textFeedback({ earned: 0.5, remarks: [], points: [point('the rain soaks in', found)] })
      expect(said).not.toMatch(/well done|good|great|missing|lack|wrong|start/i)
    }
  })

  it('finds nothing where a student does not know, and says nothing without a point', () => {
    const lead = 'You wrote that you do not know.'
    expect(textFeedback({ earned: 0, remarks: ['dont_know'], points: [point('the rain', true)] }, lead)).toBe(
      `${lead} The expected answer has “the rain”.`,
    )
    expect(textFeedback({ earned: 0.5, remarks: [], points: [point('Allow any sensible answer', false)] })).toBe('')
    expect(textFeedback({ earned: 0, remarks: [] })).toBe('')
  })
})
