/** Words that are in no other data. */
export const everywhere = {
  full_name: 'Zebulon Quackenbush',
  username: 'zquack77',
  email: 'zeb.q@post.example',
  student_number: '90817263',
  institution: 'Quackenbush Academy',
  first_phrase: 'the saffron walrus was less dense',
  phrase: 'the vermilion ocelot holds the lattice apart',
  asked: 'my vermilion ocelot answer is right',
  sub: 'lms-sub-4711-quack',
}

/** Must be nowhere after the erasure. */
export const secretsOfPerson = [
  'Zebulon',
  'Quackenbush',
  'zquack77',
  'zeb.q',
  '90817263',
  'saffron',
  'walrus',
  'vermilion',
  'ocelot',
  everywhere.sub,
]
