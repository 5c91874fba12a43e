/** DynamoDB would refuse the request before it does anything; named as the error the AWS SDK raises then. */
export class ValidationException extends Error {
  override readonly name = "ValidationException";
}
