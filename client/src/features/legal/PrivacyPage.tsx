import { LegalText } from './LegalText.tsx'

export function PrivacyPage() {
  return (
    <LegalText title="Privacy">
      <p>Whoever runs this copy of Assay, usually your school, is responsible for what is kept here. Ask them first.</p>
      <h2>What is kept</h2>
      <ul>
        <li>
          Your account: username, e-mail address and whether you have confirmed it, name, institution, which mails you
          want, and your password as a hash only.
        </li>
        <li>
          If you come from a learning platform (LMS): the number, name and address it gives us for you, which of its
          courses you are in and as what, and what was sent to its gradebook.
        </li>
        <li>Your courses, and the papers uploaded to them, with the text read from them.</li>
        <li>Suggested grades, the words they rest on, and what a teacher decided.</li>
        <li>Who changed a grade, a role, a course’s members or a setting, and when.</li>
      </ul>
      <h2>How long</h2>
      <p>
        A submission goes with all that was made of it when your teacher deletes it, or the assignment it belongs to.
        Sign-ins go when you sign out or after twelve hours; mailed links when they are followed, or after an hour (new
        password), seven days (confirming an address) or 60 days (invitation). An account stays until whoever runs this
        copy deletes it. The record of who changed what stays.
      </p>
      <h2>Mail</h2>
      <p>
        We mail you links you ask for, invitations of your teachers, and news of your courses and grades as you choose
        in your profile. News goes only to an address you have confirmed, and an address that somebody else typed gets
        them nothing of yours. Mail goes out by the mail server of whoever runs this copy; there is no other sender, and
        no tracking in it.
      </p>
      <h2>Who sees it</h2>
      <p>
        A student’s work is seen by that student, by those who teach the course, and by administrators, whose opening of
        a course is recorded. Nobody else’s work is shown to students, and no grade before it is released. Where a
        course belongs to a learning platform, released scores and the words to them go to its gradebook.
      </p>
      <h2>The AI</h2>
      <p>
        Papers are read and graded by a program that is part of Assay and runs on this server; then nothing of a paper
        leaves it. An administrator, or the teacher of a course, may have an AI model of another company do it. Then the
        questions, the expected answers and what was written go to that company, with names, e-mail addresses and
        student numbers masked, and pictures of handwritten pages with names covered where they are found. The teacher’s
        blank assignment and answer key go as they are. Your teacher can say which model it is.
      </p>
      <h2>In your browser</h2>
      <p>
        Assay keeps your sign-in in the browser’s storage until you sign out or twelve hours have passed. Opened from
        your school’s learning platform it keeps it only while the page is open, and sets cookies that serve to open it
        there and to reload it. There is no advertising, no tracking, and nothing is loaded from other sites.
      </p>
    </LegalText>
  )
}
