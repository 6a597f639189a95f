import { type AnswerCases, answers } from './answer-case.ts'

export const CHANGES: AnswerCases[] = [
  {
    prompt: 'The club raises its fee from $10 to $12 and loses members. What happens to its revenue each week?',
    key: 'From $3000 to $2880: it falls by $120.',
    right: answers`
      Revenue falls by $120 | it falls by $120 | -$120 | −$120 | a loss of $120 | they lose $120 a week
      It goes down by $120. | decreases by 120 dollars | It drops from $3000 to $2880
      $3000 to $2880, so it falls by $120 | revenue is $120 less | It was 3000 and is now 2880, a decrease of $120
      falls by $120 per week | a $120 decrease | goes from 3000 to 2880 so it has gone down by 120
    `,
    wrong: answers`
      rises by $120 | It goes up by $120 | increases | +$120 | a gain of $120 | It stays the same
      from $2880 to $3000
    `,
    partial: [
      ['it falls', 0.25, 0.6],
      ['$120', 0.25, 0.75],
      ['falls by $200', 0, 0.6],
    ],
  },
  {
    prompt: 'Calculate the price elasticity of demand and say what it means.',
    key: '−0.5 (inelastic)',
    right: answers`
      -0.5, inelastic | −0.5 so it is inelastic | -0.5 (inelastic) | PED = -0.5, demand is inelastic
      = −0.5 → inelastic
    `,
    wrong: ['-2, elastic', '2', 'elastic', '0.2'],
    partial: [
      ['-0.5', 0.4, 1],
      ['inelastic', 0.2, 0.6],
      ['-0.5 so it is elastic', 0, 0.6],
    ],
  },
  {
    prompt: 'How does the profit change?',
    key: 'Profit doubles (from £40 to £80)',
    right: answers`
      it doubles | profit doubles from £40 to £80 | It goes from £40 to £80, it doubles | It is twice as much
    `,
    wrong: ['it halves', 'it falls by £40'],
  },
  {
    prompt: 'What is the effect on the car’s speed?',
    key: 'it slows down by 8 m/s',
    right: answers`
      slows down by 8 m/s | decreases by 8 m/s | it loses 8 m/s | -8 m/s | the speed falls by 8 m/s
      It goes 8 m/s slower
    `,
    wrong: ['speeds up by 8 m/s', 'it increases by 8 m/s', 'goes 8 m/s faster'],
    partial: [['it slows down', 0.2, 0.6]],
  },
]
