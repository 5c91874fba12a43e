import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * DynamoDB Local in memory, on a free port that this machine alone reaches: its own launcher listens on every address. Prints
 * the port, and ends when its standard input does.
 */
public class LoopbackDynamo {
  public static void main(String[] arguments) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    server.addConnector(connector);
    server.setHandler(new LocalDynamoDBServerHandler(new LocalDynamoDBRequestHandler(0, true, null, false, false), null));
    server.start();
    System.out.println(connector.getLocalPort());
    while (System.in.read() >= 0) {
    }
    System.exit(0);
  }
}
