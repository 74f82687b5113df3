/** Exactly the words of Appendix A, 4.3.2.3, which are signed in every language. */
export const CERTIFICATION =
  'I hereby certify that my data entries and my record of duty status for this 24-hour period are true and correct.';
