import type { ExportedStudent, RosterExport } from './write-roster.ts'

const mail = ({ login }: ExportedStudent) => `${login}@school.example`

const forms: (Omit<RosterExport, 'addresses' | 'numbers'> & { addresses?: false; numbers?: false })[] = [
  {
    form: 'Canvas, a gradebook with addresses as logins',
    system: 'Canvas',
    as: { encoding: 'utf8 with mark' },
    rows: (students) => [
      ['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section', 'Quiz 1 (875)', 'Current Score'],
      ['', '', '', '', '', 'Manual Posting', ''],
      ['    Points Possible', '', '', '', '', '10', '(read only)'],
      ...students.map((one, i) => [`${one.last}, ${one.first}`, `${5100 + i}`, one.number, mail(one), '8b', '', '']),
      ['Student, Test', '5999', '', 'f0a1b2c3d4e5f6a7', '8b', '', ''],
    ],
  },
  {
    form: 'Canvas, a gradebook with names as logins',
    system: 'Canvas',
    addresses: false,
    rows: (students) => [
      ['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section', 'Quiz 1 (875)'],
      ['    Points Possible', '', '', '', '', '10'],
      ...students.map((one, i) => [`${one.last}, ${one.first}`, `${5100 + i}`, one.number, one.login, '8b', '']),
      ['Student, Test', '5999', '', 'f0a1b2c3d4e5f6a7', '8b', ''],
    ],
  },
  {
    form: 'Canvas, the class roster of its analytics',
    system: 'Canvas',
    rows: (students) => [
      ['Student Name', 'Student ID', 'Student SIS ID', 'Email', 'Section Name'],
      ...students.map((one, i) => [`${one.first} ${one.last}`, `${5100 + i}`, one.number, mail(one), 'Science, 8b']),
    ],
  },
  {
    form: 'Canvas, the users of an account',
    system: 'Canvas',
    rows: (students) => [
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
    ],
  },
  {
    form: 'Moodle, the participants',
    system: 'Moodle',
    as: { encoding: 'utf8 with mark' },
    rows: (students) => [
      ['First name', 'Last name', 'ID number', 'Email address', 'Groups'],
      ...students.map((one) => [one.first, one.last, one.number, mail(one), '8b, remote']),
    ],
  },
  {
    form: 'Moodle, a grader report',
    system: 'Moodle',
    rows: (students) => [
      [
        'First name',
        'Surname',
        'ID number',
        'Institution',
        'Department',
        'Email address',
        'Quiz: Quiz 1 (Real)',
        'Course total (Real)',
        'Last downloaded from this course',
      ],
      ...students.map((one) => [one.first, one.last, one.number, '', '', mail(one), '-', '-', '1790000000']),
    ],
  },
  {
    form: 'Moodle, a grading worksheet',
    system: 'Moodle',
    as: { encoding: 'utf8 with mark' },
    rows: (students) => [
      [
        'Identifier',
        'Full name',
        'ID number',
        'Email address',
        'Status',
        'Grade',
        'Maximum Grade',
        'Grade can be changed',
        'Last modified (submission)',
        'Last modified (grade)',
        'Feedback comments',
      ],
      ...students.map((one, i) => [
        `Participant ${7000 + i}`,
        `${one.first} ${one.last}`,
        one.number,
        mail(one),
        'No submission',
        '',
        '10.00',
        'Yes',
        '-',
        '-',
        '',
      ]),
    ],
  },
  {
    form: 'Moodle, a list of users',
    system: 'Moodle',
    rows: (students) => [
      ['id', 'username', 'email', 'firstname', 'lastname', 'idnumber', 'institution', 'department'],
      ...students.map((one, i) => [`${300 + i}`, one.login, mail(one), one.first, one.last, one.number, '', '']),
    ],
  },
  {
    form: 'Blackboard, tabs in UTF-16',
    system: 'Blackboard',
    addresses: false,
    as: { delimiter: '\t', encoding: 'utf16', allQuoted: true },
    rows: (students) => [
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
      ['Okoro_PreviewUser', 'Ada', 'aokoro_previewuser', '', '2026-10-01 08:00:00', 'Yes', ''],
    ],
  },
  {
    form: 'Blackboard, with commas and without a last access',
    system: 'Blackboard',
    addresses: false,
    as: { encoding: 'utf8 with mark', allQuoted: true },
    rows: (students) => [
      ['Last Name', 'First Name', 'Username', 'Student ID', 'Availability', 'Quiz 1 [Total Pts: 10 Score] |875'],
      ...students.map((one) => [one.last, one.first, one.login, one.number, 'Yes', '']),
    ],
  },
  {
    form: 'Brightspace',
    system: 'Brightspace',
    rows: (students) => [
      ['OrgDefinedId', 'Username', 'Last Name', 'First Name', 'Email', 'Quiz 1 Points Grade', 'End-of-Line Indicator'],
      ...students.map((one) => [`#${one.number}`, `#${one.login}`, one.last, one.first, mail(one), '', '#']),
    ],
  },
  {
    form: 'Google Classroom',
    system: 'Google Classroom',
    numbers: false,
    rows: (students) => [
      ['Last Name', 'First Name', 'Email Address', 'Quiz 1', 'Essay'],
      ['Date', '', '', '2026-10-01', '2026-10-08'],
      ['Points', '', '', '10', '20'],
      ['Class Average', '', '', '7.5', '15'],
      ...students.map((one) => [one.last, one.first, mail(one), '', '']),
    ],
  },
  {
    form: 'PowerSchool, an export of students',
    system: 'PowerSchool',
    addresses: false,
    as: { delimiter: '\t' },
    rows: (students) => [
      ['Student_Number', 'LastFirst', 'Grade_Level', 'Home_Room', 'Guardianemail'],
      ...students.map((one) => [one.number, `${one.last}, ${one.first}`, '8', 'B', 'parent@home.example']),
    ],
  },
  {
    form: 'PowerSchool, a list with written-out headings',
    system: 'PowerSchool',
    addresses: false,
    rows: (students) => [
      ['Student Number', 'Student Name', 'Grade Level', 'Home Room'],
      ...students.map((one) => [one.number, `${one.last}, ${one.first}`, '8', 'B']),
    ],
  },
  {
    form: 'PowerSchool, a scores template',
    system: 'PowerSchool',
    addresses: false,
    above: [
      ['Teacher Name:', 'Ada Okoro', ''],
      ['Class:', 'Science, 8b', ''],
      ['Assignment Name:', 'Quiz 1', ''],
      ['Due Date:', '2026-10-01', ''],
      ['Points Possible:', '10.0', ''],
      ['Extra Points:', '0.0', ''],
      ['Score Type:', 'POINTS', ''],
    ],
    rows: (students) => [
      ['Student Num', 'Student Name', 'Score'],
      ...students.map((one) => [one.number, `${one.last}, ${one.first}`, '']),
    ],
  },
  {
    form: 'a plain list',
    system: null,
    as: { delimiter: ';' },
    rows: (students) => [
      ['USERNAME', 'last name', 'First Name', 'student id', 'E-Mail'],
      ...students.map((one) => [one.login, one.last, one.first, one.number, mail(one)]),
    ],
  },
  {
    form: 'a plain list of names and numbers',
    system: null,
    addresses: false,
    rows: (students) => [['Name', 'ID'], ...students.map((one) => [`${one.last}, ${one.first}`, one.number])],
  },
]

export const rosterExports: RosterExport[] = forms.map((form) => ({ addresses: true, numbers: true, ...form }))
