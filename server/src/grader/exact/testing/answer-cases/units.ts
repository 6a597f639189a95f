import { type AnswerCases, answers } from './answer-case.ts'

export const UNITS: AnswerCases[] = [
  {
    prompt: 'What is the acceleration?',
    key: '9.8 m/s²',
    right: answers`
      9.8 m/s² | 9.8 m/s^2 | 9.8 m s^-2 | 9.8 ms⁻² | 9.8 m/s/s | 9.8 metres per second squared | 9.8 N/kg | 9.80 m/s2
      980 cm/s² | a = 9.8 m/s² | 9.8 m / s^2 | 9.8 meters per second per second
    `,
    wrong: ['8.9 m/s²', '98 m/s²', '-9.8 m/s²', '9.4 m/s²'],
    partial: [
      ['9.8', 0.5, 0.9],
      ['9.8 m/s', 0.1, 0.75],
      ['9.8 kg', 0.1, 0.75],
    ],
  },
  {
    prompt: 'How long is the film?',
    key: '2 h 30 min',
    right: answers`
      2 h 30 min | 2h30 | 2 hours 30 minutes | 2 hours and 30 minutes | 150 min | 150 minutes | 2.5 h | 2.5 hours
      2½ hours | two and a half hours | 2hrs 30mins | 2h 30m | 9000 s
    `,
    wrong: ['2 h 20 min', '2.3 h', '3 h 30 min', '130 min', '2 h', '30 min', '2 min 30 s'],
    partial: [
      ['150', 0, 0.9],
      ['2.5', 0, 0.9],
    ],
  },
  {
    prompt: 'State the resistance.',
    key: '4.7 kΩ',
    right: answers`
      4.7 kΩ | 4700 Ω | 4.7 kilohms | 4.7 kilo-ohms | 4700 ohms | 4.7 k ohm | 4.7 × 10³ Ω | R = 4.7 kΩ | 0.0047 MΩ
      4.7 kOhm
    `,
    wrong: ['47 kΩ', '4.7 mΩ', '4.7 MΩ', '470 Ω'],
    partial: [
      ['4.7 Ω', 0, 0.6],
      ['4.7', 0.4, 0.9],
    ],
  },
  {
    prompt: 'What is the temperature of the room?',
    key: '20 °C',
    right: ['20°C', '293.15 K'],
    wrong: ['2 °C', '293.15 °C'],
  },
]
