const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const time = '(?:[T ,]+\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?: ?[ap]m)?(?: ?Z|[+-]\\d{2}:?\\d{2})?)?';

const yearFirst = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${time}$`, 'i');
const yearLast = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${time}$`, 'i');
const monthName = new RegExp(
  `^(?:(\\d{1,2})[ -](?:${months})|(?:${months}) (\\d{1,2}),?)[ -](\\d{4}|\\d{2})${time}$`,
  'i',
);

/** 2024-03-01, 2024/3/1 12:30, 31.12.2024, 3/1/24, 1 Mar 2024, March 1, 2024. */
export function isDateText(text: string): boolean {
  const first = yearFirst.exec(text);
  if (first) return isDay(Number(first[3]), Number(first[4]));
  const last = yearLast.exec(text);
  if (last) {
    const [a, b] = [Number(last[1]), Number(last[3])];
    return isDay(a, b) || isDay(b, a);
  }
  const named = monthName.exec(text);
  return named !== null && isDay(1, Number(named[1] ?? named[2]));
}

/** 20240301: eight digits that are a day between 1900 and 2099. */
export function isDateNumber(value: number): boolean {
  if (!Number.isInteger(value) || value < 19000101 || value > 20991231) return false;
  return isDay(Math.floor(value / 100) % 100, value % 100);
}

function isDay(month: number, day: number): boolean {
  const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}
