/** A student as the systems export them. */
export interface ExportedStudent {
  first: string
  last: string
  number: string
  login: string
}

export const classOfTwenty: ExportedStudent[] = [
  'Ada Lovelace,Alan Turing,Grace Hopper,Edsger Dijkstra,Barbara Liskov,Donald Knuth,Zoë Núñez,Lotte van Dam,Ken Thompson,Radia Perlman',
  'Frances Allen,Tony Hoare,Lynn Conway,Niklaus Wirth,Adele Goldberg,Dennis Ritchie,Karen Jones,Leslie Lamport,Shafi Goldwasser,John Backus',
]
  .join(',')
  .split(',')
  .map((name, i) => {
    const [first = '', ...last] = name.split(' ')
    const number = String(20_481_033 + i * 7_919)
    return {
      first,
      last: last.join(' '),
      number,
      login: `${first}${i}`
        .normalize('NFKD')
        .replace(/\P{ASCII}/gu, '')
        .toLowerCase(),
    }
  })

const csv = (rows: string[][], delimiter = ',') =>
  `${rows.map((cells) => cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell}"` : cell)).join(delimiter)).join('\r\n')}\r\n`

const mail = ({ login }: ExportedStudent) => `${login}@school.example`

/** A file in each system's form, after its documentation: what it is called, what it is, and whether it has addresses. */
export const rosterExports: {
  form: string
  system: string | null
  write: (students: ExportedStudent[]) => string | Buffer
  addresses: boolean
}[] = [
  {
    form: 'Canvas, a gradebook with addresses as logins',
    system: 'Canvas',
    addresses: true,
    write: (students) =>
      csv([
        ['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section', 'Quiz 1 (875)', 'Current Score'],
        ['', '', '', '', '', 'Manual Posting', ''],
        ['    Points Possible', '', '', '', '', '10', '(read only)'],
        ...students.map((one, i) => [`${one.last}, ${one.first}`, `${5100 + i}`, one.number, mail(one), '8b', '', '']),
        ['Student, Test', '5999', '', 'f0a1b2c3d4e5f6a7', '8b', '', ''],
      ]),
  },
  {
    form: 'Canvas, a gradebook with names as logins',
    system: 'Canvas',
    addresses: false,
    write: (students) =>
      csv([
        ['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section', 'Quiz 1 (875)'],
        ['    Points Possible', '', '', '', '', '10'],
        ...students.map((one, i) => [`${one.last}, ${one.first}`, `${5100 + i}`, one.number, one.login, '8b', '']),
        ['Student, Test', '5999', '', 'f0a1b2c3d4e5f6a7', '8b', ''],
      ]),
  },
  {
    form: 'Canvas, the users of an account',
    system: 'Canvas',
    addresses: true,
    write: (students) =>
      csv([
        'canvas_user_id,user_id,integration_id,login_id,password,first_name,last_name,full_name,sortable_name,short_name,email,status'.split(
          ',',
        ),
        ...students.map((one, i) => [
          `${5100 + i}`,
          one.number,
          '',
          one.login,
          'secret-word',
          one.first,
          one.last,
          `${one.first} ${one.last}`,
          `${one.last}, ${one.first}`,
          one.first,
          mail(one),
          'active',
        ]),
      ]),
  },
  {
    form: 'Moodle, the participants',
    system: 'Moodle',
    addresses: true,
    write: (students) =>
      `\ufeff${csv([
        ['First name', 'Last name', 'ID number', 'Email address', 'Groups'],
        ...students.map((one) => [one.first, one.last, one.number, mail(one), '8b']),
      ])}`,
  },
  {
    form: 'Moodle, a grader report',
    system: 'Moodle',
    addresses: true,
    write: (students) =>
      csv([
        ['First name', 'Surname', 'ID number', 'Institution', 'Department', 'Email address', 'Quiz: Quiz 1 (Real)'],
        ...students.map((one) => [one.first, one.last, one.number, '', '', mail(one), '-']),
      ]),
  },
  {
    form: 'Blackboard, tabs in UTF-16',
    system: 'Blackboard',
    addresses: false,
    write: (students) => {
      const rows = [
        [
          'Last Name',
          'First Name',
          'Username',
          'Student ID',
          'Last Access',
          'Availability',
          'Quiz 1 [Total Pts: 10] |875',
        ],
        ...students.map((one) => [one.last, one.first, one.login, one.number, '2026-10-01 08:00:00', 'Yes', '']),
      ]
      const text = rows.map((cells) => cells.map((cell) => `"${cell}"`).join('\t')).join('\n')
      return Buffer.from(`\ufeff${text}`, 'utf16le')
    },
  },
  {
    form: 'Brightspace',
    system: 'Brightspace',
    addresses: true,
    write: (students) =>
      csv([
        [
          'OrgDefinedId',
          'Username',
          'Last Name',
          'First Name',
          'Email',
          'Quiz 1 Points Grade',
          'End-of-Line Indicator',
        ],
        ...students.map((one) => [`#${one.number}`, `#${one.login}`, one.last, one.first, mail(one), '', '#']),
      ]),
  },
  {
    form: 'Google Classroom',
    system: 'Google Classroom',
    addresses: true,
    write: (students) =>
      csv([
        ['Last Name', 'First Name', 'Email Address', 'Quiz 1', 'Essay'],
        ['Date', '', '', '2026-10-01', '2026-10-08'],
        ['Points', '', '', '10', '20'],
        ['Class Average', '', '', '7.5', '15'],
        ...students.map((one) => [one.last, one.first, mail(one), '', '']),
      ]),
  },
  {
    form: 'PowerSchool',
    system: 'PowerSchool',
    addresses: false,
    write: (students) =>
      csv(
        [
          ['Student_Number', 'LastFirst', 'Grade_Level', 'Home_Room', 'Guardianemail'],
          ...students.map((one) => [one.number, `${one.last}, ${one.first}`, '8', 'B', 'parent@home.example']),
        ],
        '\t',
      ),
  },
  {
    form: 'a plain list',
    system: null,
    addresses: true,
    write: (students) =>
      csv(
        [
          ['USERNAME', 'last name', 'First Name', 'student id', 'E-Mail'],
          ...students.map((one) => [one.login, one.last, one.first, one.number, mail(one)]),
        ],
        ';',
      ),
  },
]
